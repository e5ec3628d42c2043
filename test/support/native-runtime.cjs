// @ts-check -- so that "npm run check" says when a release of Jest no longer has what is overridden here
/**
 * Jest's `runtime` (https://jestjs.io/docs/configuration#runtime-string): Node itself loads test files and their imports,
 * each module once for a worker. Jest's own runtime loads Nest, TypeORM and the rest again for each file, which takes a
 * second. Its advantages, mocks of modules and globals of each file's own, are not used here.
 */
const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');
const compile = require('./compile.cjs');
require('reflect-metadata'); // before the modules that use it, as in src/main.ts

/**
 * The source maps of the files in stack traces; each is made when a trace is printed.
 * @extends {Map<string, string>}
 */
class SourceMaps extends Map {
  /** @override @param {string} file */
  get(file) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (path.endsWith('.ts') && !this.has(file)) {
      const { map } = compile(path, readFileSync(path, 'utf8'));
      this.set(file, `data:application/json;base64,${Buffer.from(map).toString('base64')}`);
    }
    return super.get(file);
  }
}

const sourceMaps = new SourceMaps();

const { AsyncLocalStorage } = asyncHooks;

/**
 * What the framework of a test file makes. Each that is not disabled slows down every promise of the process for good:
 * after a hundred files, that was a third of all work.
 * @template T
 * @extends {AsyncLocalStorage<T>}
 */
class KnownStorage extends AsyncLocalStorage {
  /** @type {Set<import('node:async_hooks').AsyncLocalStorage<unknown>>} */
  static all = new Set();

  constructor() {
    super();
    KnownStorage.all.add(this);
  }
}

class NativeRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} given */
  constructor(...given) {
    super(...given);
    const [, environment] = given;
    /** The part of `jest` that needs no world of its own: `fn`, `spyOn`, `restoreAllMocks` and the like. */
    this.jest = environment.moduleMocker;
  }

  /**
   * A test file's own copy of the framework, which holds its tests and hooks.
   * @override @param {string} path
   */
  requireInternalModule(path) {
    delete require.cache[path];
    asyncHooks.AsyncLocalStorage = KnownStorage;
    try {
      return require(path);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  /** @override */
  teardown() {
    for (const storage of KnownStorage.all) storage.disable();
    KnownStorage.all.clear();
    super.teardown();
  }

  /** For `jest-globals.mjs`. @override @param {object} globals */
  setGlobalsForRuntime(globals) {
    Object.assign(globalThis, globals, { jest: this.jest });
  }

  /** @override */
  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** @override @param {string} path */
  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  /** @override */
  getSourceMaps() {
    return sourceMaps;
  }
}

module.exports = { default: NativeRuntime, __esModule: true };

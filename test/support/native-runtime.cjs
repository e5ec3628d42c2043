/**
 * Jest's `runtime`: Node itself loads test files and their imports, each module once for a worker. Jest's own runtime
 * loads Nest, TypeORM and the rest again for each file, which takes a second. Its advantages, mocks of modules and
 * globals of each file's own, are not used here.
 */
const { readFileSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');
const compile = require('./compile.cjs');
require('reflect-metadata'); // before the modules that use it, as in src/main.ts

/** The source maps of the files in stack traces; each is made when a trace is printed. */
class SourceMaps extends Map {
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

class NativeRuntime extends Runtime {
  /** A test file's own copy of the framework, which holds its tests and hooks. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    Object.assign(globalThis, globals, { jest: this.jestGlobals.jestObjectFor('') });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }
}

module.exports = { default: NativeRuntime, __esModule: true };

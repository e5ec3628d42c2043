const { transformSync } = require('@swc/core');

/**
 * Compiles a TypeScript file as `tsc` does, without its checks. The source map is JSON.
 * @type {(filename: string, source: string) => { code: string, map: string }}
 */
module.exports = (filename, source) =>
  transformSync(source, {
    filename,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: true,
  });

/** Jest as ESM: NestJS 12 ships ESM only, so the tests cannot be compiled to CommonJS. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFiles: ['reflect-metadata'],
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  maxWorkers: 2,
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/dashboard/src'],
  testRegex: String.raw`\.spec\.ts$`,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { [String.raw`^(\.{1,2}/.*)\.js$`]: '$1' },
  transform: {
    [String.raw`\.ts$`]: [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 30_000,
};

/** Jest as ESM: NestJS 12 ships ESM only, so the tests cannot be compiled to CommonJS. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  runtime: '<rootDir>/test/support/native-runtime.cjs',
  injectGlobals: false,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  maxWorkers: 2,
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/dashboard/src'],
  testRegex: String.raw`\.spec\.ts$`,
  transform: {},
  testTimeout: 30_000,
};

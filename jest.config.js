/** `test/support/native-runtime.cjs` loads the tests and what they test; nothing is left for Jest to compile. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  runtime: '<rootDir>/test/support/native-runtime.cjs',
  injectGlobals: false,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  maxWorkers: 2,
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/dashboard/src'],
  /** Those have to be root, and take a minute: `npm run test:packaging`. */
  testPathIgnorePatterns: [
    ...(process.env.TEST_PACKAGING ? [] : ['/test/packaging/']),
    // These need programs that npm does not bring.
    ...(process.env.TEST_CLUSTER ? [] : ['/test/cluster/']),
  ],
  testRegex: String.raw`\.spec\.ts$`,
  transform: {},
  /** Longer than the longest wait of `eventually`, which says what it has waited for. */
  testTimeout: 180_000,
};

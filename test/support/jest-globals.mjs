/** Replaces `@jest/globals` for modules that Node loads once: each export passes calls to the test file that runs. */
const current = (name) =>
  new Proxy(() => {}, {
    get: (_target, key) => globalThis[name][key],
    apply: (_target, _self, args) => globalThis[name](...args),
  });

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');

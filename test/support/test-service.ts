import { afterAll, beforeAll } from '@jest/globals';
import { startTestService, type TestService } from './service.js';

/** A service for the tests of the file, stopped after them: see {@link startTestService}. @returns its getter */
export function useTestService(...options: Parameters<typeof startTestService>): () => TestService {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(...options);
  });
  afterAll(() => service.stop());
  return () => service;
}

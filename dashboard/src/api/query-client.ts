import { QueryClient } from '@tanstack/react-query';
import { ApiFault } from './fault';

const MAX_RETRY_DELAY = 10_000;

/** Repeats reads until the service is there again. A write fails at once, so that its form can say so. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (_failures, error) => error instanceof ApiFault && error.isUnreachable,
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, MAX_RETRY_DELAY),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state';
import { LoadingState } from './loading-state';

interface QueryStateProps<T> {
  /** The result of useGet or useLive. */
  query: UseQueryResult<T>;
  /** Shown while loading, in place of skeleton rows. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows loading, a fault with retry, or the data. Older data stay while newer ones cannot be loaded. */
export function QueryState<T>({ query, loading, children }: QueryStateProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState fault={query.error} onRetry={() => void query.refetch()} />;
  return loading ?? <LoadingState />;
}

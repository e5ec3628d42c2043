import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state';
import { LoadingState } from './loading-state';

interface QueryStateProps<T> {
  /** Of useGet or useLive. */
  query: UseQueryResult<T>;
  /** Instead of skeleton rows. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Loading, fault with retry, or the data; data that are there stay while newer ones cannot be had. */
export function QueryState<T>({ query, loading, children }: QueryStateProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState fault={query.error} onRetry={() => void query.refetch()} />;
  return loading ?? <LoadingState />;
}

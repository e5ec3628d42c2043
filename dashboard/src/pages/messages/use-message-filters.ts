import { useState } from 'react';
import { serviceNow } from '../../api/service-clock';
import { useSearchParams } from 'react-router';
import type { Query } from '../../api/client';
import { type Period, PERIODS, rangeOf } from './periods';

const SINGLE = ['period', 'from', 'to', 'template', 'number', 'phone', 'reference', 'retry'] as const;
export type SingleFilter = (typeof SINGLE)[number];

export interface MessageFilters {
  values: Record<SingleFilter, string | null>;
  status: string[];
  set: (changes: Partial<Record<SingleFilter, string | null>>) => void;
  setStatus: (status: string[]) => void;
  clear: () => void;
  /** How many filters are set. */
  count: number;
  /** The filters as the service's query. */
  query: Query;
}

/** The filters. The address has them, so that it can be shared and a reload keeps them. */
export function useMessageFilters(): MessageFilters {
  const [params, setParams] = useSearchParams();
  const [today] = useState(() => new Date(serviceNow()));
  const values = Object.fromEntries(
    SINGLE.map((name) => [name, params.get(name)]),
  ) as MessageFilters['values'];
  const status = params.getAll('status');

  const set: MessageFilters['set'] = (changes) =>
    setParams(
      (current) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) current.set(name, value);
          else current.delete(name);
        }
        current.delete('cursor');
        return current;
      },
      { replace: true },
    );
  const setStatus = (chosen: string[]) =>
    setParams(
      (current) => {
        current.delete('status');
        for (const each of chosen) current.append('status', each);
        current.delete('cursor');
        return current;
      },
      { replace: true },
    );

  const { period, template, number, phone, reference, retry } = values;
  const count = [period, template, number, phone, reference, retry].filter(Boolean).length;
  return {
    values,
    status,
    set,
    setStatus,
    clear: () => setParams({}, { replace: true }),
    count: count + (status.length > 0 ? 1 : 0),
    query: {
      status,
      template,
      messaging_account_id: number,
      phone,
      client_reference: reference,
      retry,
      ...rangeOf(periodOf(period), values.from, values.to, today),
    },
  };
}

function periodOf(text: string | null): Period | null {
  return PERIODS.find((period) => period === text) ?? null;
}

import { useSearchParams } from 'react-router';

const NAMES = ['search', 'status', 'category', 'language', 'quality', 'messaging_account_id'] as const;

type Name = (typeof NAMES)[number];

/** The list's filters. They are in the address, so that a reload and a link keep them. */
export function useTemplateFilters() {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(NAMES.map((name) => [name, params.get(name)])) as Record<
    Name,
    string | null
  >;
  const set = (name: Name, value: string | null) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const isActive = NAMES.some((name) => filters[name]);
  return { filters, set, isActive, clear: () => setParams({}, { replace: true }) };
}

export type TemplateFilters = ReturnType<typeof useTemplateFilters>;

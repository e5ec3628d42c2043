import { Button, Center } from '@mantine/core';
import { strings } from '../strings';

interface LoadMoreProps {
  /** Of usePages. */
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Fetches the next page of a list; absent at its end. */
export function LoadMore({ pages }: LoadMoreProps) {
  if (!pages.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {strings.common.loadMore}
      </Button>
    </Center>
  );
}

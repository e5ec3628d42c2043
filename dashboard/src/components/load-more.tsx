import { Button, Center } from '@mantine/core';
import { strings } from '../strings';

interface LoadMoreProps {
  /** The result of usePages. */
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** A button that fetches the next page of a list; it is not shown at the end. */
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

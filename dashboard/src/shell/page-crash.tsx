import { Button } from '@mantine/core';
import { IconBug } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { EmptyState } from '../components/empty-state';
import { PageHeader } from '../components/page-header';
import { strings } from '../strings';

/** Shown in place of a page that threw, or whose code could not be loaded. The console has the fault itself. */
export function PageCrash() {
  const error = useRouteError();
  const { crash } = strings.shell;
  return (
    <>
      <PageHeader title={crash.title} />
      <EmptyState
        icon={IconBug}
        title={crash.message}
        description={error instanceof Error ? error.message : String(error)}
        action={<Button onClick={() => window.location.reload()}>{strings.common.reload}</Button>}
      />
    </>
  );
}

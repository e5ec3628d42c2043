import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../components/empty-state';
import { PageHeader } from '../components/page-header';
import { strings } from '../strings';

export function NotFound() {
  const { notFound } = strings.shell;
  return (
    <>
      <PageHeader title={notFound.title} />
      <EmptyState
        icon={IconMapQuestion}
        title={notFound.message}
        action={
          <Button component={Link} to="/">
            {notFound.home}
          </Button>
        }
      />
    </>
  );
}

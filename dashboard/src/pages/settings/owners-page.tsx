import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../api/session';
import { OnlyFor } from '../../components/only-for';
import { PageHeader } from '../../components/page-header';

interface OwnersPageProps {
  texts: { title: string; description: string; create: string };
  /** What owners see: a list, and the dialog by which they add to it. */
  children: (creating: { opened: boolean; onClose: () => void; create: ReactNode }) => ReactNode;
}

/** A page of settings that owners see and add to. Its list may show the button `create` where it is empty. */
export function OwnersPage({ texts, children }: OwnersPageProps) {
  const [opened, setOpened] = useState(false);
  const canEdit = useCan('owner');
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={canEdit && create} />
      <OnlyFor role="owner">{children({ opened, onClose: () => setOpened(false), create })}</OnlyFor>
    </>
  );
}

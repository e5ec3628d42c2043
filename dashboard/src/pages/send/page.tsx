import { Button } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useGet } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { OnlyFor } from '../../components/only-for';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { strings } from '../../strings';
import type { TemplateFacets } from '../templates/types';
import { SendFormView } from './send-form-view';
import { SentPanel } from './sent-panel';
import { useSendForm } from './use-send-form';

const texts = strings.send;

/** Sends one message, and shows its progress. */
export default function SendPage() {
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <OnlyFor role="editor">
        <Send />
      </OnlyFor>
    </>
  );
}

function Send() {
  const [search] = useSearchParams();
  const sending = useSendForm(search.get('template'));
  const [sent, setSent] = useState<number | null>(null);
  const facets = useGet<TemplateFacets>('templates/facets');
  if (sent !== null) {
    return (
      <SentPanel
        id={sent}
        onAnother={() => {
          sending.startAnew();
          setSent(null);
        }}
      />
    );
  }
  return (
    <QueryState query={facets}>
      {({ business_accounts: accounts }) =>
        accounts.some(({ numbers }) => numbers.length > 0) ? (
          <SendFormView
            sending={sending}
            accounts={accounts}
            onSent={(id) => {
              sending.forget();
              setSent(id);
            }}
          />
        ) : (
          <EmptyState
            icon={IconDeviceMobile}
            title={texts.noNumbersTitle}
            description={texts.noNumbersText}
            action={
              <Button component={Link} to="/numbers">
                {texts.toNumbers}
              </Button>
            }
          />
        )
      }
    </QueryState>
  );
}

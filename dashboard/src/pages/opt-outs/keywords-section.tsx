import { Button, Group, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS } from '../../../../src/recipients/domain/opt-out-keywords';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useGet, useWrite } from '../../api/queries';
import { useCan } from '../../api/session';
import { QueryState } from '../../components/query-state';
import { Section } from '../../components/section';
import { strings } from '../../strings';
import type { Keywords } from './types';

const texts = strings.optOuts.keywords;
const PATH = 'opt-outs/keywords';

/** The words by which recipients opt out. */
export function KeywordsSection() {
  const found = useGet<Keywords>(PATH);
  return (
    <Section title={texts.title}>
      <QueryState query={found}>{(kept) => <Words key={kept.keywords.join('\n')} kept={kept} />}</QueryState>
    </Section>
  );
}

function Words({ kept }: { kept: Keywords }) {
  const canChange = useCan('owner');
  const [words, setWords] = useState(kept.keywords);
  const save = useWrite((keywords: string[] | null) => api.put<Keywords>(PATH, { keywords }), {
    refresh: [PATH],
    onSuccess: () => notifyDone(texts.saved),
  });
  return (
    <>
      <TagsInput
        label={texts.label}
        description={kept.are_default ? texts.areDefault : texts.hint}
        value={words}
        onChange={(next) => setWords(next.map((word) => word.slice(0, MAX_KEYWORD_LENGTH)))}
        maxTags={MAX_KEYWORDS}
        readOnly={!canChange}
      />
      {canChange && (
        <Group gap="xs">
          <Button loading={save.isPending} onClick={() => save.mutate(words)}>
            {texts.save}
          </Button>
          {!kept.are_default && (
            <Button variant="default" loading={save.isPending} onClick={() => save.mutate(null)}>
              {texts.reset}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

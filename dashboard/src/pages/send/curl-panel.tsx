import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from '../../components/copy-button';
import { strings } from '../../strings';
import { Section } from '../../components/section';
import { curlOf } from './curl';
import classes from './send.module.css';
import type { SendRequest } from './types';

const texts = strings.send;

/** The same request as a program would send it, to copy. */
export function CurlPanel({ request }: { request: SendRequest }) {
  const line = curlOf(request, window.location.origin);
  return (
    <Section title={texts.sections.curl}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {texts.curlHint}
        </Text>
        <CopyButton value={line} label={texts.curlLabel} />
      </Group>
      <Code block dir="ltr" className={classes.curl} tabIndex={0} role="group" aria-label={texts.curlLabel}>
        {line}
      </Code>
    </Section>
  );
}

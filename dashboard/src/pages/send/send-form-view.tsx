import { Button, Grid, Stack } from '@mantine/core';
import { IconCalendarTime, IconSend } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { faultsToForm } from '../../api/form-faults';
import { useLive } from '../../api/use-live';
import { PhonePreview } from '../../preview/phone-preview';
import { strings } from '../../strings';
import { Section } from '../../components/section';
import type { BusinessAccount, TemplateDetail } from '../templates/types';
import { ConditionFields } from './condition-fields';
import { ContentFields } from './content-fields';
import { CurlPanel } from './curl-panel';
import { EarlierSend } from './earlier-send';
import { refusalsOf } from './plain-fault';
import { RecipientFields } from './recipient-fields';
import { buildRequest, previewOf } from './send-request';
import { faultsOf } from './send-rules';
import classes from './send.module.css';
import { TemplateFields } from './template-fields';
import { needsOf } from './template-needs';
import type { useSendForm } from './use-send-form';
import type { Validation } from './types';
import { isEarlier, useSubmit } from './use-submit';
import { useValidation } from './use-validation';
import { VerdictPanel } from './verdict-panel';

const texts = strings.send;

interface SendFormViewProps {
  sending: ReturnType<typeof useSendForm>;
  accounts: BusinessAccount[];
  onSent: (id: number) => void;
}

/** The form, with the message as its recipient will see it. */
export function SendFormView({ sending, accounts, onSent }: SendFormViewProps) {
  const { form } = sending;
  const [localUrl, setLocalUrl] = useState<string | null>(null);
  const { template, needs, built, validation, isReady } = useJudgement(sending);
  const { send, submit } = useSubmit(sending, built, onSent);
  return (
    <form noValidate onSubmit={submit}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <TemplateFields form={form} accounts={accounts} template={template} needs={needs} />
            <Section title={texts.sections.content}>
              <ContentFields form={form} template={template} needs={needs} onLocalFile={setLocalUrl} />
            </Section>
            <RecipientFields form={form} category={template?.category} message={validation.data?.message} />
            <ConditionFields form={form} template={template} price={validation.data?.price} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack className={classes.aside}>
            {template && needs && (
              <Section title={texts.sections.preview}>
                <PhonePreview
                  components={template.components}
                  values={previewOf(form.values, needs, localUrl)}
                  language={template.language}
                />
              </Section>
            )}
            <VerdictPanel validation={validation} isReady={isReady} />
            {send.error && isEarlier(send.error) && (
              <EarlierSend
                onSendAnother={() => {
                  sending.renewKey();
                  send.reset();
                }}
              />
            )}
            <SubmitButton
              when={form.values.when}
              isBusy={send.isPending}
              isDisabled={needs?.isUnsupported ?? false}
            />
            {built && <CurlPanel request={built.request} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

/** The chosen template as it is now, what it needs, and the service's answer about the form. */
function useJudgement({ form, setNeeds }: SendFormViewProps['sending']) {
  const { values } = form;
  const id = values.template_id;
  const query = useLive<TemplateDetail>(`templates/${id}`, undefined, { enabled: id !== null });
  const template = id === null ? undefined : query.data;
  const needs = useMemo(() => (template ? needsOf(template) : null), [template]);
  useEffect(() => setNeeds(needs), [needs, setNeeds]);

  const built = template && needs ? buildRequest(values, template, needs) : null;
  const isComplete = Object.keys(faultsOf(values, needs)).length === 0;
  const isReady = built !== null && needs?.isUnsupported === false && isComplete;
  const validation = useValidation(isReady ? built.request : null);
  const fieldOf = built?.fieldOf;
  const showFaults = useEffectEvent((answer: Validation) => {
    // Of two faults of one field, the first stays: a send would be refused with it.
    const shown = refusalsOf(answer).toReversed();
    const errors = Object.assign({}, ...shown.map((fault) => faultsToForm(fault, fieldOf)));
    form.setErrors((old) => ({ ...old, ...errors }));
  });
  // Once for each answer, as later typing clears the error of its field.
  useEffect(() => {
    if (validation.data && !validation.data.valid) showFaults(validation.data);
  }, [validation.data]);
  return { template, needs, built, validation, isReady };
}

interface SubmitButtonProps {
  when: 'now' | 'later';
  isBusy: boolean;
  isDisabled: boolean;
}

function SubmitButton({ when, isBusy, isDisabled }: SubmitButtonProps) {
  const Icon = when === 'now' ? IconSend : IconCalendarTime;
  return (
    <Button
      type="submit"
      size="md"
      loading={isBusy}
      disabled={isDisabled}
      leftSection={<Icon size={18} aria-hidden />}
    >
      {when === 'now' ? texts.submit : texts.submitLater}
    </Button>
  );
}

import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useUser } from '../../api/session';
import { browserZone } from '../../components/zone-picker';
import { EMPTY } from './empty-form';
import { forgetForm, keepForm, readForm } from './kept-form';
import { faultsOf } from './send-rules';
import type { TemplateNeeds } from './template-needs';
import type { SendValues } from './types';

export type SendForm = UseFormReturnType<SendValues>;

/**
 * The form, which survives a reload, and the key with which it is sent. The key is made when the form is opened, so
 * that sending it again after a lost answer or a reload sends nothing twice.
 * @param preselected the template that the address names
 */
export function useSendForm(preselected: string | null) {
  const { user_id: userId } = useUser();
  const [kept] = useState(() => readForm(userId));
  const [key, setKey] = useState(() => kept?.key ?? newKey());
  // The form is made before it is known what the template needs.
  const [needs, setNeeds] = useState<TemplateNeeds | null>(null);
  const form = useForm<SendValues>({
    initialValues: {
      ...EMPTY,
      zone: browserZone(),
      ...kept?.values,
      ...(preselected !== null && { template_id: preselected }),
    },
    validate: (values) => faultsOf(values, needs),
    validateInputOnBlur: ['phone'],
  });
  const { values } = form;
  useEffect(() => keepForm(userId, { key, values }), [userId, key, values]);

  /** Begins a new form for the next recipient: number and template stay. */
  const startAnew = () => {
    const { messaging_account_id, template_id, zone } = form.getValues();
    form.setValues({ ...EMPTY, messaging_account_id, template_id, zone });
    form.clearErrors();
    setKey(newKey());
  };
  return {
    form,
    key,
    needs,
    setNeeds,
    startAnew,
    renewKey: () => setKey(newKey()),
    forget: () => forgetForm(userId),
  };
}

/** A random key. crypto.randomUUID() is missing on a page without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dashboard-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

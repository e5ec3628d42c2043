import { api } from '../../api/client';
import { toFault } from '../../api/fault';
import { showFaults } from '../../api/form-faults';
import { useWrite } from '../../api/queries';
import { plainFault } from './plain-fault';
import type { BuiltRequest } from './send-request';
import type { Acknowledgement, SendRequest } from './types';
import type { useSendForm } from './use-send-form';

/** Sends the form with its key, and shows a refusal at the fields that it is about. */
export function useSubmit(
  { form, key }: ReturnType<typeof useSendForm>,
  built: BuiltRequest | null,
  onSent: (id: number) => void,
) {
  const send = useWrite(
    (request: SendRequest) =>
      api.post<Acknowledgement>('messages/send', request, { headers: { 'Idempotency-Key': key } }),
    { notify: false, onSuccess: ({ message_log_id }) => onSent(message_log_id) },
  );
  const onError = (fault: Error) => {
    if (!isEarlier(fault)) showFaults(form, plainFault(fault), built?.fieldOf);
  };
  const submit = form.onSubmit(
    () => {
      if (built) send.mutate(built.request, { onError });
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  );
  return { send, submit };
}

/** Whether the answer to an earlier try was lost, and the form has been changed since. */
export function isEarlier(error: Error): boolean {
  return toFault(error).code === 'IDEMPOTENCY_KEY_REUSED';
}

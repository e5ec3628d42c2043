import type { UseFormReturnType } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { toFault } from './fault';
import { notifyFault } from './notify';

/** A form's errors by field: the service's JSON paths, with dots as in Mantine's forms. */
export function faultsToForm(
  error: unknown,
  rename: (field: string) => string = (field) => field,
): Record<string, string> {
  const fault = toFault(error);
  const errors: Record<string, string> = {};
  for (const { field, message } of fault.details) {
    if (field !== undefined)
      errors[rename(field.replaceAll(/\[(\d+)\]/g, '.$1'))] ??= message ?? fault.message;
  }
  return errors;
}

/** Shows a fault at the fields it is about, or as a notification when it is about no field of the form. */
export function showFaults<Values extends object>(
  form: UseFormReturnType<Values>,
  error: unknown,
  rename?: (field: string) => string,
): void {
  const errors = faultsToForm(error, rename);
  form.setErrors(errors);
  const values = form.getValues();
  const isShown = Object.keys(errors).some((path) => Object.hasOwn(values, path.split('.')[0] ?? ''));
  if (!isShown) notifyFault(error);
}

/** Submits a form by a write that does not show its faults itself; they are shown at the fields. */
export function submitTo<Values extends object, Result>(
  form: UseFormReturnType<Values>,
  write: Pick<UseMutationResult<Result, Error, Values>, 'mutate'>,
) {
  return form.onSubmit((values) => write.mutate(values, { onError: (fault) => showFaults(form, fault) }));
}

import { Button, Card, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { PageHeader } from '../../components/page-header';
import { strings } from '../../strings';
import { NewPasswordInput, newPasswordFault } from './new-password-input';

const texts = strings.settings.password;

/** The user's own password. */
export default function PasswordPage() {
  const form = useForm({
    initialValues: { current_password: '', password: '', repeated: '' },
    validate: {
      current_password: (value) => (value === '' ? texts.currentMissing : null),
      password: (value, { current_password }) =>
        newPasswordFault(value) ?? (value === current_password ? texts.same : null),
      repeated: (value, { password }) => (value === password ? null : texts.differs),
    },
  });
  const change = useWrite(
    ({ current_password, password }: typeof form.values) =>
      api.put('password', { current_password, password }),
    {
      notify: false,
      onSuccess: () => {
        form.reset();
        notifyDone(texts.done);
      },
    },
  );
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card withBorder maw={480} padding="lg">
        <form noValidate onSubmit={submitTo(form, change)}>
          <Stack>
            <PasswordInput
              label={texts.current}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': texts.show }}
              {...form.getInputProps('current_password')}
            />
            <NewPasswordInput label={texts.fresh} {...form.getInputProps('password')} />
            <PasswordInput
              label={texts.repeat}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': texts.show }}
              {...form.getInputProps('repeated')}
            />
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending}>
                {texts.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </>
  );
}

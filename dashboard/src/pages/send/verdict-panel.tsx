import { Alert, List, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { Money } from '../../components/money';
import { strings } from '../../strings';
import { Section } from '../../components/section';
import { plainFault, refusalsOf } from './plain-fault';
import type { Validation } from './types';
import type { useValidation } from './use-validation';

const texts = strings.send;
const categories: Record<string, string> = strings.settings.rateCard.categories;

interface VerdictPanelProps {
  validation: ReturnType<typeof useValidation>;
  /** Whether the form is complete. */
  isReady: boolean;
}

/** The price of the message, why it would be refused, and what else is worth to know. */
export function VerdictPanel({ validation, isReady }: VerdictPanelProps) {
  return (
    <Section title={texts.sections.cost}>
      <div role="status">
        <Verdict validation={validation} isReady={isReady} />
      </div>
    </Section>
  );
}

function Verdict({ validation: { data, error, isAsked }, isReady }: VerdictPanelProps) {
  if (!isReady) return <Text c="dimmed">{texts.costLater}</Text>;
  if (!isAsked || (!data && !error)) {
    return (
      <Text c="dimmed">
        <Loader size={14} aria-hidden /> {texts.costBusy}
      </Text>
    );
  }
  if (error) return <Refused reasons={[plainFault(error).message]} />;
  if (!data) return null;
  return (
    <>
      {data.valid ? <Price price={data.price} /> : <Refused reasons={reasonsOf(data)} />}
      {data.warnings.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title={texts.warnings} mt="sm">
          <Reasons reasons={data.warnings.map(({ message }) => message)} />
        </Alert>
      )}
    </>
  );
}

const reasonsOf = (validation: Validation) => refusalsOf(validation).map(({ message }) => message);

function Refused({ reasons }: { reasons: string[] }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.costFailed}>
      <Reasons reasons={reasons} />
    </Alert>
  );
}

function Reasons({ reasons }: { reasons: string[] }) {
  if (reasons.length === 1) return reasons[0];
  return (
    <List size="sm">
      {reasons.map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
  );
}

function Price({ price }: Pick<Validation, 'price'>) {
  if (!price) return null;
  const { amount, currency, category } = price;
  return (
    <>
      <Text size="xl" fw={650} component="div">
        <Money amount={String(amount)} currency={currency} />
      </Text>
      <Text size="sm" c="dimmed">
        {texts.costOf(categories[category] ?? category, price.market)}. {texts.costRefund}
      </Text>
    </>
  );
}

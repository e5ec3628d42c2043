import { Alert, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Money } from '../../components/money';
import { strings } from '../../strings';
import { Section } from '../../components/section';
import { plainFault } from './plain-fault';
import type { usePrice } from './use-price';

const texts = strings.send;
const categories: Record<string, string> = strings.components.category;

interface CostPanelProps {
  price: ReturnType<typeof usePrice>;
  /** Whether the form is complete. */
  isReady: boolean;
}

/** The price of the message, or why it would be refused. */
export function CostPanel({ price, isReady }: CostPanelProps) {
  return (
    <Section title={texts.sections.cost}>
      <div role="status">
        <Cost price={price} isReady={isReady} />
      </div>
    </Section>
  );
}

function Cost({ price: { data, error, isAsked }, isReady }: CostPanelProps) {
  if (!isReady) return <Text c="dimmed">{texts.costLater}</Text>;
  if (!isAsked || (!data && !error)) {
    return (
      <Text c="dimmed">
        <Loader size={14} aria-hidden /> {texts.costBusy}
      </Text>
    );
  }
  if (error) {
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.costFailed}>
        {plainFault(error).message}
      </Alert>
    );
  }
  if (!data) return null;
  const { conversation_category: category } = data;
  return (
    <>
      <Text size="xl" fw={650} component="div">
        <Money amount={data.cost} currency={data.currency} />
      </Text>
      <Text size="sm" c="dimmed">
        {texts.costOf(categories[category] ?? category)}. {texts.costRefund}
      </Text>
    </>
  );
}

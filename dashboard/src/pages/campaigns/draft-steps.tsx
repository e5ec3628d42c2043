import { Stepper, Text, Title } from '@mantine/core';
import { strings } from '../../strings';
import classes from './campaigns.module.css';

const texts = strings.campaigns.steps;
const NAMES = [texts.message, texts.file, texts.columns, texts.check, texts.start];

interface DraftStepsProps {
  active: number;
  /** The furthest step that can be opened. */
  reached: number;
  onSelect: (step: number) => void;
}

export function DraftSteps({ active, reached, onSelect }: DraftStepsProps) {
  return (
    <Stepper active={active} onStepClick={onSelect} size="sm" mb="lg" className={classes.steps}>
      {NAMES.map((name, step) => (
        <Stepper.Step
          key={name}
          label={name}
          aria-current={step === active ? 'step' : undefined}
          allowStepSelect={step <= reached && step !== active}
        />
      ))}
    </Stepper>
  );
}

export function StepHeading({ step, text }: { step: number; text: string }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.of(step + 1, NAMES.length, NAMES[step] ?? '')}
      </Text>
      <Title order={2} mb="md">
        {text}
      </Title>
    </>
  );
}

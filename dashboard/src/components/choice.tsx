import { Input, SegmentedControl, type SegmentedControlProps } from '@mantine/core';

interface ChoiceProps extends SegmentedControlProps {
  /** Above it, and its name unless `aria-label` is another. */
  label: string;
}

/** A field with a few options side by side, as wide as they are. */
export function Choice({ label, ...control }: ChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl mt={4} aria-label={label} {...control} />
      </div>
    </Input.Wrapper>
  );
}

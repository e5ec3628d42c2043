import { Input, SegmentedControl, type SegmentedControlProps } from '@mantine/core';

interface ChoiceProps extends SegmentedControlProps {
  /** The text above the field, and its name unless there is an `aria-label`. */
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

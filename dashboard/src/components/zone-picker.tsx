import { Select, type SelectProps } from '@mantine/core';
import { strings } from '../strings';

type ZonePickerProps = Omit<SelectProps, 'data' | 'onChange'> & {
  /** Gets an IANA name, or null when the field is cleared. */
  onChange: (zone: string | null) => void;
};

/** Picks an IANA time zone; the browser's own comes first. */
export function ZonePicker({ label = strings.components.zone, ...rest }: ZonePickerProps) {
  return (
    <Select
      label={label}
      placeholder={strings.components.zoneSearch}
      nothingFoundMessage={strings.components.zoneNotFound}
      searchable
      maxDropdownHeight={280}
      data={zones()}
      {...rest}
    />
  );
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

let cached: { value: string; label: string }[] | undefined;

/** All time zones. This makes some hundred formatters, once. */
function zones(): { value: string; label: string }[] {
  const here = browserZone();
  const names = new Set([here, 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  cached ??= [...names].map((value) => ({
    value,
    label: [
      value.replaceAll('_', ' '),
      offsetOf(value),
      ...(value === here ? [strings.components.zoneHere] : []),
    ].join(' · '),
  }));
  return cached;
}

/** The present offset of a zone: "GMT+2", "GMT+5:30". */
function offsetOf(zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    timeZoneName: 'shortOffset',
  }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

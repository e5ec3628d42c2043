import type { OptOutScope, OptOutSource } from '../../../../src/recipients/domain/opt-out';

export interface OptOut {
  phone: string;
  scope: OptOutScope;
  source: OptOutSource;
  reason: string | null;
  created_at: string;
}

export interface ImportedOptOuts {
  kept: number;
  rows: number;
  faulty: number;
  faults: { line: number; message: string }[];
}

export interface Keywords {
  keywords: string[];
  are_default: boolean;
}

import { useMemo, useRef, useState } from 'react';
import { draftFaultText, type DraftFault } from '../../../../src/templates/domain/draft-faults';
import { checkDraft } from '../../../../src/templates/domain/draft-rules';
import { changeCategory, type DraftHeader } from '../../../../src/templates/domain/template-draft';
import type { ApiFault } from '../../api/fault';
import { strings } from '../../strings';
import type { DraftContent, EditorStart, TemplateDraft } from './types';
import { type KeptDraft, useDraft } from './use-draft';

/** This browser's own file of a media header, shown while the provider's copy cannot be. */
export interface LocalFile {
  url: string;
  handle: string;
}

export interface Editor extends KeptDraft {
  start: EditorStart;
  draft: TemplateDraft;
  isEdit: boolean;
  localFile: LocalFile | null;
  setLocalFile(file: LocalFile | null): void;
  update(change: (draft: TemplateDraft) => TemplateDraft): void;
  updateHeader(change: Partial<DraftHeader>): void;
  setAccount(businessAccountId: string | null): void;
  setCategory(category: TemplateDraft['category']): void;
  /** To be called when a field was left, so that its faults may be shown. */
  touch(field: string): void;
  touchAll(): void;
  errorAt(field: string): string | undefined;
  warningAt(field: string): string | undefined;
  errors: { field: string; message: string }[];
  warnings: DraftFault[];
  /** Sets the fault of the last submission, from the service or the provider. */
  refuse(fault: ApiFault | null): void;
  refusal: ApiFault | null;
}

/** All that the parts of the editor share: the draft, and its faults by field. */
export function useEditor(start: EditorStart, key: string): Editor {
  const kept = useDraft(start, key);
  const { content, change } = kept;
  const { draft } = content;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isAllTouched, setAllTouched] = useState(false);
  const [refused, setRefused] = useState<{ fault: ApiFault; content: DraftContent } | null>(null);
  const [localFile, setLocalFile] = useState<LocalFile | null>(null);
  const beforeAuthentication = useRef<TemplateDraft | null>(null);
  const faults = useMemo(() => checkDraft(draft), [draft]);

  const update = (by: (draft: TemplateDraft) => TemplateDraft) =>
    change((before) => ({ ...before, draft: by(before.draft) }));
  const errors = [
    ...(content.business_account_id === null
      ? [{ field: 'business_account_id', message: strings.templateEditor.accountMissing }]
      : []),
    ...faults
      .filter(({ severity }) => severity === 'error')
      .map((fault) => ({ field: fault.field, message: draftFaultText(fault) })),
  ];
  const warnings = faults.filter(({ severity }) => severity === 'warning');
  const isTouched = (field: string) => isAllTouched || touched.has(field);

  return {
    ...kept,
    start,
    draft,
    isEdit: start.template?.rules != null,
    localFile,
    setLocalFile,
    update,
    updateHeader: (by) => update((before) => ({ ...before, header: { ...before.header, ...by } })),
    setAccount: (business_account_id) => change((before) => ({ ...before, business_account_id })),
    setCategory(category) {
      if (category === 'AUTHENTICATION') beforeAuthentication.current = draft;
      const old = draft.category === 'AUTHENTICATION' ? beforeAuthentication.current : null;
      const { name, language } = draft;
      update((before) => changeCategory(old ? { ...old, name, language } : before, category));
    },
    touch: (field) => setTouched((before) => (before.has(field) ? before : new Set([...before, field]))),
    touchAll: () => setAllTouched(true),
    errorAt: (field) =>
      refusalAt(refused, content, field) ??
      (isTouched(field) ? errors.find((error) => error.field === field)?.message : undefined),
    warningAt(field) {
      const warning = isTouched(field) && warnings.find((one) => one.field === field);
      return warning ? draftFaultText(warning) : undefined;
    },
    errors,
    warnings,
    refuse: (fault) => setRefused(fault && { fault, content }),
    refusal: refused?.fault ?? null,
  };
}

/** The refusal of a field, until that part of the draft has changed. */
function refusalAt(
  refused: { fault: ApiFault; content: DraftContent } | null,
  content: DraftContent,
  field: string,
): string | undefined {
  if (!refused) return undefined;
  const detail = refused.fault.details.find((one) => one.field === field);
  if (!detail || partOf(refused.content, field) !== partOf(content, field)) return undefined;
  return detail.message ?? refused.fault.message;
}

function partOf({ business_account_id, draft }: DraftContent, field: string): unknown {
  const part = field.split(/[.[]/)[0] ?? '';
  return part === 'business_account_id' ? business_account_id : draft[part as keyof TemplateDraft];
}

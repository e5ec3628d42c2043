import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { PageHeader } from '../../components/page-header';
import { StatusBadge } from '../../components/status-badge';
import { strings } from '../../strings';
import { ActionBar } from './action-bar';
import { AuthenticationSection } from './authentication-section';
import { BasicsSection } from './basics-section';
import { BodySection } from './body-section';
import { ButtonsSection } from './buttons-section';
import { ConflictDialog } from './conflict-dialog';
import { DeleteTemplate } from './delete-template';
import { EditNotice, isForbidden } from './edit-notice';
import { FooterSection } from './footer-section';
import { HeaderSection } from './header-section';
import { PreviewPane } from './preview-pane';
import classes from './template-editor.module.css';
import { TimeToLiveSection } from './time-to-live-section';
import type { EditorStart } from './types';
import { UnfinishedDrafts } from './unfinished-drafts';
import { type Editor, useEditor } from './use-editor';

const { templateEditor: texts } = strings;

/** The editor: the form and, beside or below it, the template on a phone. */
export function EditorView({ start, draftKey }: { start: EditorStart; draftKey: string }) {
  const editor = useEditor(start, draftKey);
  useDraftInAddress(editor, draftKey);
  const { template } = start;
  const isForbiddenNow = isForbidden(template);
  return (
    <>
      <EditorHeader editor={editor} />
      <div className={classes.layout}>
        <div className={classes.form}>
          <Stack gap="lg">
            <EditNotice template={template} />
            {!start.key && !template && editor.state.kind === 'new' && <UnfinishedDrafts />}
            <Refusal editor={editor} />
            <fieldset className={classes.fieldset} disabled={isForbiddenNow}>
              <Stack gap="lg">
                <BasicsSection editor={editor} />
                <Content editor={editor} />
                <TimeToLiveSection editor={editor} />
              </Stack>
            </fieldset>
          </Stack>
          {!isForbiddenNow && <ActionBar editor={editor} draftKey={draftKey} />}
        </div>
        <PreviewPane editor={editor} />
      </div>
      <ConflictDialog editor={editor} />
    </>
  );
}

function EditorHeader({ editor }: { editor: Editor }) {
  const { template } = editor.start;
  return (
    <PageHeader
      title={titleOf(editor)}
      description={editor.isEdit ? texts.editAllowance : texts.description}
      badges={editor.isEdit && template && <StatusBadge status={template.status} />}
      actions={editor.isEdit && template && <DeleteTemplate template={template} />}
      back={
        editor.isEdit && template
          ? { to: `/templates/${template.template_id}`, label: texts.backToTemplate }
          : { to: '/templates', label: texts.back }
      }
    />
  );
}

function Content({ editor }: { editor: Editor }) {
  if (editor.draft.category === 'AUTHENTICATION') return <AuthenticationSection editor={editor} />;
  return (
    <>
      <HeaderSection editor={editor} />
      <BodySection editor={editor} />
      <FooterSection editor={editor} />
      <ButtonsSection editor={editor} />
    </>
  );
}

/** The provider's own words about the last submission. */
function Refusal({ editor: { refusal } }: { editor: Editor }) {
  if (!refusal) return null;
  return (
    <Alert
      color="red"
      role="alert"
      id="draft-refusal"
      tabIndex={-1}
      title={texts.refused}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      {refusal.message}
    </Alert>
  );
}

/** A new draft gets an address of its own with its first change, so that a reload finds it again. */
function useDraftInAddress({ state, isEdit }: Editor, draftKey: string): void {
  const isNew = state.kind === 'new';
  useEffect(() => {
    if (isNew || isEdit) return;
    const url = new URL(window.location.href);
    if (url.searchParams.get('draft') === draftKey) return;
    url.search = `?draft=${draftKey}`;
    // Without the router, which would take this for another visit.
    window.history.replaceState(window.history.state, '', url);
  }, [isNew, isEdit, draftKey]);
}

function titleOf({ start: { template }, isEdit }: Editor): string {
  if (!template) return texts.titleNew;
  return isEdit ? texts.titleEdit(`${template.name} (${template.language})`) : texts.titleCopy(template.name);
}

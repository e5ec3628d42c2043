import { Alert, Button, Card, Grid, Group, Stack, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconSend,
  IconTemplate,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useGet } from '../../api/queries';
import { isNotFound } from '../../api/fault';
import { useLive } from '../../api/use-live';
import { Can } from '../../components/can';
import { CategoryBadge } from '../../components/category-badge';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QualityBadge } from '../../components/quality-badge';
import { QueryState } from '../../components/query-state';
import { StatusBadge } from '../../components/status-badge';
import { Time } from '../../components/time';
import { PhonePreview } from '../../preview/phone-preview';
import { strings } from '../../strings';
import { DeleteTemplate } from '../template-editor/delete-template';
import { Facts } from './facts';
import { History, versionsOf } from './history';
import type { TemplateChange, TemplateDetail, TemplateFacets } from './types';

const texts = strings.templates;
const back = { to: '/templates', label: texts.back };

/** One template: its preview, its facts and its history. */
export default function TemplatePage() {
  const { id = '' } = useParams();
  const template = useLive<TemplateDetail>(`templates/${id}`);
  if (isNotFound(template.error)) {
    return (
      <>
        <PageHeader title={texts.notFoundTitle} back={back} />
        <EmptyState icon={IconTemplate} title={texts.notFoundTitle} />
      </>
    );
  }
  return (
    <>
      {template.data ? <Header template={template.data} /> : <PageHeader title={texts.title} back={back} />}
      <QueryState query={template}>{(data) => <Detail key={data.template_id} template={data} />}</QueryState>
    </>
  );
}

function Header({ template }: { template: TemplateDetail }) {
  const { template_id: id, name, language, category, status, status_reason: reason, quality } = template;
  return (
    <PageHeader
      title={`${name} (${language})`}
      back={back}
      badges={
        <>
          <StatusBadge status={status} reason={reason} />
          <QualityBadge quality={quality} />
          <CategoryBadge category={category} />
        </>
      }
      actions={
        !template.removed_at && (
          <Can role="editor" hide>
            <Group gap="xs">
              <DeleteTemplate
                template={{
                  template_id: id,
                  name,
                  languages: [language, ...template.translations.map((other) => other.language)],
                }}
              />
              <Button
                component={Link}
                to={`/templates/new?copy=${id}`}
                variant="default"
                leftSection={<IconCopy size={16} aria-hidden />}
              >
                {texts.copy}
              </Button>
              <Button
                component={Link}
                to={`/templates/${id}/edit`}
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                {texts.edit}
              </Button>
              {status === 'APPROVED' && (
                <Button
                  component={Link}
                  to={`/send?template=${id}`}
                  leftSection={<IconSend size={16} aria-hidden />}
                >
                  {texts.send}
                </Button>
              )}
            </Group>
          </Can>
        )
      }
    />
  );
}

function Detail({ template }: { template: TemplateDetail }) {
  const [version, setVersion] = useState<TemplateChange | null>(null);
  const facets = useGet<TemplateFacets>('templates/facets');
  const account = facets.data?.business_accounts.find(
    ({ business_account_id }) => business_account_id === template.business_account_id,
  );
  const show = (change: TemplateChange) =>
    setVersion(change.change_id === newestVersion(template.changes) ? null : change);
  return (
    <Stack>
      <Notices template={template} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title={texts.preview}>
            {version && (
              <Alert
                color="blue"
                mb="sm"
                title={texts.shownVersion(versionsOf(template.changes).get(version.change_id) ?? 0)}
              >
                <Button size="compact-sm" variant="light" onClick={() => setVersion(null)}>
                  {texts.showCurrent}
                </Button>
              </Alert>
            )}
            <PhonePreview
              components={version?.components ?? template.components}
              language={template.language}
            />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Section title={texts.details}>
              <Facts template={template} account={account} />
            </Section>
            <Section title={texts.history}>
              <History
                changes={template.changes}
                shown={version?.change_id ?? newestVersion(template.changes)}
                onShow={show}
              />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Notices({ template }: { template: TemplateDetail }) {
  const { status_reason: reason, hold, removed_at: removedAt, category_change: change } = template;
  return (
    <>
      {removedAt && <Alert color="gray" title={texts.removed} />}
      {reason && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={texts.reasonTitle}>
          {reason}
        </Alert>
      )}
      {change && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={texts.categoryChangeTitle}>
          {texts.categoryFrom(change.category)} <Time at={change.at} exact />. {texts.categoryChangeText}
        </Alert>
      )}
      {hold && (
        <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} title={texts.heldTitle}>
          {texts.held(hold.error.title)}
        </Alert>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} mb="md">
        {title}
      </Title>
      {children}
    </Card>
  );
}

function newestVersion(changes: TemplateChange[]): number | null {
  return changes.find(({ components }) => components !== null)?.change_id ?? null;
}

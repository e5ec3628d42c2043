import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import type { WireTemplateComponent } from '../provider/wire.js';
import { Template } from './template.entity.js';

/** One change of a template; a trigger of the database writes them. */
@Entity('template_changes')
@Check(
  'template_changes_kind_check',
  `kind IN ('created', 'status', 'category', 'quality', 'content', 'removed')`,
)
@Index('template_changes_template_idx', ['templateId', 'id'])
export class TemplateChange {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('integer', { name: 'template_id' })
  templateId: number;

  @ManyToOne(() => Template, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'template_id', foreignKeyConstraintName: 'template_changes_template_fk' })
  template?: Template;

  @Column('text')
  kind: 'created' | 'status' | 'category' | 'quality' | 'content' | 'removed';

  /** For statuses, the provider's own: it has more than our five. */
  @Column('text', { name: 'old_value', nullable: true })
  oldValue: string | null;

  @Column('text', { name: 'new_value', nullable: true })
  newValue: string | null;

  /** The provider's reason for a status. */
  @Column('text', { nullable: true })
  reason: string | null;

  /** The components of the first version and of each new one. */
  @Column('jsonb', { name: 'body_json', nullable: true })
  bodyJson: WireTemplateComponent[] | null;

  @Column('timestamptz', { name: 'occurred_at', default: () => 'now()' })
  occurredAt: Date;
}

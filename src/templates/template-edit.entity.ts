import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Template } from './template.entity.js';

/** An edit of a template that was approved then: the provider allows one a day and ten in 30 days. */
@Entity('template_edits')
@Index('template_edits_template_idx', ['templateId', 'editedAt'])
export class TemplateEdit {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('integer', { name: 'template_id' })
  templateId: number;

  @ManyToOne(() => Template)
  @JoinColumn({ name: 'template_id', foreignKeyConstraintName: 'template_edits_template_fk' })
  template?: Template;

  @Column('timestamptz', { name: 'edited_at' })
  editedAt: Date;
}

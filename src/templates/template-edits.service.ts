import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { editRules, type EditRules } from './domain/edit-rules.js';
import { TemplateEdit } from './template-edit.entity.js';
import type { Template } from './template.entity.js';

const DAY = 24 * 60 * 60 * 1000;

/** Counts the edits made here. The provider limits them, also counts edits made elsewhere, and has the last word. */
@Injectable()
export class TemplateEditsService {
  constructor(
    @InjectRepository(TemplateEdit) private readonly edits: Repository<TemplateEdit>,
    private readonly clock: Clock,
  ) {}

  /** What may be changed in the template now. */
  async rulesOf({ id, status, providerStatus, category }: Template): Promise<EditRules> {
    const now = this.clock.now();
    const recent = await this.edits.find({
      where: { templateId: id, editedAt: MoreThan(new Date(now.getTime() - 30 * DAY)) },
      order: { editedAt: 'DESC' },
    });
    const lastEditedAt = recent[0]?.editedAt ?? null;
    const of = { status, providerStatus, category, lastEditedAt, editsIn30Days: recent.length };
    return editRules(of, now);
  }

  /** Counts an edit, if the template's status is one in which edits count. */
  async count({ id, status }: Template): Promise<void> {
    if (status !== 'APPROVED') return;
    await this.edits.save(this.edits.create({ templateId: id, editedAt: this.clock.now() }));
  }
}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { CategoryChangesService } from './category-changes.service.js';
import { HeaderSamplesService } from './header-samples.service.js';
import { RegularSyncsService } from './regular-syncs.service.js';
import { TemplateAuthorService } from './template-author.service.js';
import { TemplateEdit } from './template-edit.entity.js';
import { TemplateEditsService } from './template-edits.service.js';
import { TemplateChangesService } from './template-changes.service.js';
import { Template } from './template.entity.js';
import { TemplateStore } from './template.store.js';
import { TemplateSyncService } from './template-sync.service.js';
import { TemplatesService } from './templates.service.js';

/** The templates of accounts: which there are, their syncs with the provider, and writing new ones. */
@Module({
  imports: [TypeOrmModule.forFeature([Template, TemplateEdit]), AccountsModule, AlertsModule, ProviderModule],
  providers: [
    TemplatesService,
    TemplateChangesService,
    TemplateStore,
    TemplateSyncService,
    RegularSyncsService,
    TemplateAuthorService,
    TemplateEditsService,
    CategoryChangesService,
    HeaderSamplesService,
  ],
  exports: [
    TemplatesService,
    TemplateStore,
    TemplateSyncService,
    RegularSyncsService,
    TemplateAuthorService,
    TemplateEditsService,
    CategoryChangesService,
    HeaderSamplesService,
  ],
})
export class TemplatesModule {}

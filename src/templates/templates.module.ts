import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { Template } from './template.entity.js';
import { TemplateStore } from './template.store.js';
import { TemplateSyncService } from './template-sync.service.js';
import { TemplatesService } from './templates.service.js';

/** Which templates an account has, and keeping them as the provider has them. */
@Module({
  imports: [TypeOrmModule.forFeature([Template]), AccountsModule, ProviderModule],
  providers: [TemplatesService, TemplateStore, TemplateSyncService],
  exports: [TemplatesService, TemplateStore, TemplateSyncService],
})
export class TemplatesModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesModule } from './templates.module.js';

/** The endpoint of templates: in API processes. */
@Module({ imports: [AccountsModule, TemplatesModule], controllers: [TemplatesController] })
export class TemplatesApiModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts.module.js';
import { ApiKeyAuthentication } from './api-key-authentication.js';

/** Who may use the API, and how often: in API processes. */
@Module({
  imports: [AccountsModule],
  providers: [ApiKeyAuthentication],
  exports: [ApiKeyAuthentication],
})
export class ApiKeyAuthenticationModule {}

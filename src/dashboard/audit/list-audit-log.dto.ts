import { IsOptional, IsUUID, Matches } from 'class-validator';
import { PageQuery } from '../page-query.dto.js';

export class ListAuditLogQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  user_id?: string;

  @IsOptional()
  @Matches(/^[\w.]{1,100}$/)
  action?: string;
}

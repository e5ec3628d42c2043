import { Type } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { IsInteger } from '../http/validators.js';

/** Asks for one page of a list. */
export class PageQuery {
  @Type(() => Number)
  @IsInteger(1, 100)
  limit: number = 50;

  /** The id, or row number, of the last of the page before. */
  @IsOptional()
  @Type(() => Number)
  @IsInteger(0)
  cursor?: number;
}

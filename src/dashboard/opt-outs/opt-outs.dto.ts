import { ArrayMaxSize, IsArray, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { ListOptOutsQuery, PutOptOutBody } from '../../recipients/dto/opt-out.dto.js';
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS } from '../../recipients/domain/opt-out-keywords.js';
import { OPT_OUT_SOURCES, type OptOutSource } from '../../recipients/domain/opt-out.js';

export { ListOptOutsQuery, PutOptOutBody };

export class ExportOptOutsQuery {
  @IsOptional()
  @IsIn(OPT_OUT_SOURCES)
  source?: OptOutSource;
}

export class KeywordsBody {
  /** Null for the usual ones. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_KEYWORDS)
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  @MaxLength(MAX_KEYWORD_LENGTH, { each: true })
  keywords: string[] | null;
}

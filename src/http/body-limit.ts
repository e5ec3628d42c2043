import { SetMetadata } from '@nestjs/common';

const LIMIT = 'body_limit';

/** Bytes that the body of this operation may have, where it may have more or fewer than others. */
export const BodyLimit = (bytes: number) => SetMetadata(LIMIT, bytes);

/** The limit that {@link BodyLimit} gave a handler. */
export const bodyLimitOf = (handler: object): number | undefined =>
  Reflect.getMetadata(LIMIT, handler) as number | undefined;

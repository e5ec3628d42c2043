import { text } from 'node:stream/consumers';
import { HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../common/errors.js';
import { compareRateCards } from '../../pricing/domain/rate-card-diff.js';
import { PricingService } from '../../pricing/pricing.service.js';
import { DashboardController } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { type RawBody, withRawBody } from '../../http/raw-body.js';
import { readCard, requireOperator } from './rate-card-input.js';

/** Bytes; a card of every country has some 20 KB. */
const MAX_CARD = 200 * 1024;

/** Files that are to become rate cards. */
@DashboardController('uploads/rate-card')
export class RateCardUploadsController {
  constructor(private readonly pricing: PricingService) {}

  /** Reads a file, and tells what it would change. Nothing is stored. */
  @Post()
  @HttpCode(200)
  async compare(@CurrentUser() user: SessionUser, @Req() request: Request) {
    requireOperator(user);
    const rates = readCard(await withRawBody(request, readText));
    const current = await this.pricing.inForce();
    const diff = compareRateCards(current?.rates ?? [], rates);
    return { success: true, data: { rates: rates.length, ...diff } };
  }
}

async function readText({ length, stream }: RawBody): Promise<string> {
  if (length <= MAX_CARD) return text(stream);
  throw new ApiError('PAYLOAD_TOO_LARGE', `A rate card has at most ${MAX_CARD / 1024} KiB.`);
}

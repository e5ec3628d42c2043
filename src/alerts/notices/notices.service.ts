import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../../common/metrics-registry.js';
import { Repeated } from '../../common/repeated.js';
import { subjectOf, textOf } from '../domain/notice-text.js';
import { GIVE_UP } from '../domain/notice-times.js';
import { MailChannel } from './mail-channel.js';
import { NoticesStore, type TakenChannel } from './notices.store.js';
import { WebhookChannel } from './webhook-channel.js';

/** Milliseconds between two looks for something to tell. */
const CLOCK = 2_000;

/** Milliseconds for one mail or post, from the connection to the answer. */
const LIMIT = 30_000;

/** Milliseconds that a stop waits for what is under way: broken off, it may have been taken, and would be told again. */
const GRACE = 3_000;

/** Looks after which old alerts are given up, whether or not anything could be told. */
const LOOKS_UNTIL_GIVEN_UP = 30;

type Channel = MailChannel | WebhookChannel;

/**
 * Tells the operator of alerts by mail and to a webhook, where these are configured. Alerts are what is told: nothing is
 * written for it when one is raised, so that it cannot be lost. A lease lets one worker tell by a channel, each channel
 * by itself: one that hangs delays nothing but its own alerts. An alert is told once, and a second time only if the worker
 * dies before it has noted that it was told.
 */
@Injectable()
export class NoticesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(NoticesService.name);
  private readonly stopping = new AbortController();
  private readonly looks: Repeated[];
  private readonly outcomes: Counter<'channel' | 'outcome'>;

  constructor(
    private readonly store: NoticesStore,
    mail: MailChannel,
    webhook: WebhookChannel,
    registry: MetricsRegistry,
  ) {
    this.outcomes = new Counter({
      name: 'tms_alert_notices_total',
      help: 'Alerts told by mail or to a webhook, tries that failed, and alerts given up',
      labelNames: ['channel', 'outcome'],
      registers: [registry],
    });
    this.looks = [mail, webhook].filter(({ isOn }) => isOn).map((channel) => this.looksOf(channel));
  }

  onApplicationBootstrap(): void {
    for (const looks of this.looks) looks.start();
  }

  /** What does not end soon is broken off, and told by the next worker. */
  async beforeApplicationShutdown(): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(), GRACE);
    await Promise.all(this.looks.map((looks) => looks.stop()));
    clearTimeout(timer);
  }

  private looksOf(channel: Channel): Repeated {
    let isKnown = false;
    let count = 0;
    const look = async () => {
      if (!isKnown) await this.store.open(channel.name);
      isKnown = true;
      if (count++ % LOOKS_UNTIL_GIVEN_UP === 0) await this.giveUp(channel);
      await this.look(channel);
    };
    return new Repeated(CLOCK, look, (error) =>
      this.logger.debug(`Alerts not told by ${channel.name}: ${error.message}`),
    );
  }

  private async look(channel: Channel): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const taken = await this.store.take(channel.name);
    if (taken) await this.tell(channel, taken);
  }

  private async tell(channel: Channel, taken: TakenChannel): Promise<void> {
    const { alerts, more } = await this.store.untold(taken);
    const id = alerts.map(({ alert_id }) => alert_id).join('-');
    const notice = { id, subject: subjectOf(alerts, more), text: textOf(alerts, more) };
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(LIMIT)]);
    const fault = await channel.send(notice, signal);
    if (fault === null) {
      await this.store.noteTold(taken, alerts);
      this.outcomes.inc({ channel: channel.name, outcome: 'told' }, alerts.length);
      return;
    }
    const next = await this.store.noteFailed(taken);
    if (this.stopping.signal.aborted) return;
    this.outcomes.inc({ channel: channel.name, outcome: 'failed' });
    this.logger.warn({
      message: `Alerts not told by ${channel.name}, again from ${next.toISOString()} on: ${fault}`,
      alerts: alerts.length + more,
    });
  }

  private async giveUp({ name }: Channel): Promise<void> {
    const ids = await this.store.giveUp(name);
    if (ids.length === 0) return;
    this.outcomes.inc({ channel: name, outcome: 'given_up' }, ids.length);
    this.logger.error({
      message: `Alerts given up that could not be told by ${name} in ${GIVE_UP / 3_600_000} hours`,
      alert_ids: ids,
    });
  }
}

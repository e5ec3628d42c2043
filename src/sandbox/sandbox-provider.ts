import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireTemplate } from '../provider/wire.js';
import { FileStore } from './file-store.js';
import { GraphAccess } from './graph-access.js';
import { createApp } from './http-app.js';
import { PushedEvents } from './pushed-events.js';
import { RateLimits } from './rate-limits.js';
import { RecipientActions } from './recipient-actions.js';
import { Receipts } from './receipts.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxControl } from './sandbox-control.js';
import { type SandboxOptions, type SandboxSettings, settingsFrom } from './sandbox-options.js';
import { type SandboxAccount, type SandboxMessage, SandboxState } from './sandbox-state.js';
import { Sending } from './sending.js';
import type { LinkedService } from './service-link.js';
import { StateFile } from './state-file.js';
import { TemplateCatalog } from './template-catalog.js';
import { TemplateLifecycle } from './template-lifecycle.js';
import { Timers } from './timers.js';
import { WebhookSender } from './webhook-sender.js';

export type { SandboxOptions } from './sandbox-options.js';
export type { SandboxAccount, SandboxMessage, SandboxNumber, SandboxReceipt } from './sandbox-state.js';

/**
 * A small, faithful imitation of the WhatsApp Cloud API over real HTTP: templates with their review, sends with
 * their limits and errors, signed webhooks, and an inbox in place of phones. What a recipient does is decided
 * by the last digits of its number, see `recipients.ts`.
 */
export class SandboxProvider {
  readonly control: SandboxControl;
  /** What recipients do by themselves. */
  readonly recipients: RecipientActions;
  private readonly pushed: PushedEvents;
  private readonly settings: SandboxSettings;
  private readonly timers = new Timers();
  private readonly state = new SandboxState();
  private readonly webhooks: WebhookSender;
  private readonly lifecycle: TemplateLifecycle;
  private readonly catalog: TemplateCatalog;
  private readonly stateFile: StateFile | undefined;
  private readonly app: ReturnType<typeof createApp>;
  private server: Server | undefined;

  /** Reads the state file, if there is one. Throws when it is not a state file. */
  constructor(options: SandboxOptions = {}) {
    this.settings = settingsFrom(options);
    const { settings, state, timers } = this;
    this.webhooks = new WebhookSender(timers, settings);
    this.lifecycle = new TemplateLifecycle(state, this.webhooks, timers, settings);
    this.catalog = new TemplateCatalog(state, this.lifecycle, settings);
    this.control = new SandboxControl(state, this.lifecycle, this.webhooks);
    this.recipients = new RecipientActions(state, this.webhooks, settings.clock);
    const limits = new RateLimits(settings.limits, () => settings.clock.now().getTime());
    const receipts = new Receipts(state, this.webhooks, timers, settings);
    const sending = new Sending(state, receipts, limits, settings);
    const access = new GraphAccess(state);
    this.pushed = new PushedEvents(state, settings.clock);
    const clock = new SandboxClock(settings.clock);
    const { catalog, control, recipients, pushed } = this;
    this.app = createApp(
      { state, access, limits, sending, catalog, control, recipients, timers, pushed, clock },
      new FileStore(),
    );
    this.stateFile = this.openStateFile();
  }

  /** Listens. Rejects when the port is in use, or when it is started already. */
  async start(): Promise<{ url: string; port: number }> {
    if (this.server) throw new Error('The sandbox is already started.');
    const { host } = this.settings;
    this.server = createServer(this.app);
    this.timers.reopen();
    this.webhooks.reopen();
    await this.listen(this.server).catch((error: Error) => {
      this.server = undefined;
      throw error;
    });
    for (const record of this.state.templates.values()) if (record.reviewing) this.lifecycle.review(record);
    const { port } = this.server.address() as AddressInfo;
    return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
  }

  /** Closes every connection, cancels every timer, aborts webhooks under way and writes the state. No handle is left. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    this.timers.cancelAll();
    if (server) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    }
    await this.webhooks.close();
    await this.stateFile?.close();
  }

  /** Registers a business account, or updates the one with its `wabaId`. */
  addBusinessAccount(account: SandboxAccount): void {
    this.state.putAccount(account);
  }

  /** Seeds a template with any status; one with its name and language already there is left alone and answered. */
  addTemplate(wabaId: string, template: Omit<WireTemplate, 'id'> & { id?: string }): WireTemplate {
    return structuredClone(this.catalog.seed(wabaId, template));
  }

  /** Makes the id known as that of media which a business account has uploaded; there is no file for it. */
  addMedia(wabaId: string, id: string, type = 'image/png'): void {
    this.state.putUpload(id, { owner: wabaId, type, size: 0, sha256: '' });
  }

  /** Sets the address for the account's webhooks from now on, those that wait to be sent again included. */
  setWebhook(wabaId: string, url: string): void {
    this.control.setWebhook(wabaId, url);
  }

  /** Lets a click on the page of pushed events make an endpoint for it. */
  linkService(service: LinkedService): void {
    this.pushed.service = service;
  }

  /** The messages that were taken, newest first; at most 10,000. They change as receipts go out. */
  messages(): SandboxMessage[] {
    return this.state.messages();
  }

  /** How many messages were taken since the sandbox was made, those no longer kept included. */
  get takenCount(): number {
    return this.state.takenCount;
  }

  /** Empties the inbox; returns how many messages it had. */
  clearMessages(): number {
    return this.state.clearMessages();
  }

  private openStateFile(): StateFile | undefined {
    const { stateFile: path } = this.settings;
    if (path === undefined) return undefined;
    const file = new StateFile(path, () => this.state.snapshot());
    const saved = file.load();
    if (saved) this.state.restore(saved);
    this.state.onChange = () => file.changed();
    return file;
  }

  private listen(server: Server): Promise<void> {
    const { host, port } = this.settings;
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const inUse = error.code === 'EADDRINUSE';
        reject(inUse ? new Error(`The sandbox cannot listen: port ${port} on ${host} is in use.`) : error);
      });
      server.listen(port, host, resolve);
    });
  }
}

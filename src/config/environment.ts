import { Type } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { addressesFault } from './alert-channels.js';
import { IsDatabaseUrl } from './database-url.js';
import { redisUrlFault } from './redis-url.js';

const url = (protocols: string[]) => ({
  protocols,
  require_protocol: true,
  require_tld: false,
  allow_underscores: true, // as the services of Compose may be named
});

const IsRedisUrl = () =>
  ValidateBy({
    name: 'isRedisUrl',
    validator: {
      validate: (value) => redisUrlFault(value) === null,
      defaultMessage: (args) => redisUrlFault(args?.value) ?? '',
    },
  });

const AreAddresses = () =>
  ValidateBy({
    name: 'areAddresses',
    validator: {
      validate: (value) => addressesFault(value) === null,
      defaultMessage: (args) => addressesFault(args?.value) ?? '',
    },
  });

/**
 * Every variable the service reads, with its default. The names are those of the environment; `.env.example`
 * explains each. Nothing else reads a variable, but for the fail points of the fault harness.
 */
export class Environment {
  @IsIn(['production', 'development', 'test'])
  NODE_ENV = 'development';

  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT = 3000;

  /** Without one: 127.0.0.1 on the embedded default, 0.0.0.0 otherwise. */
  @IsOptional()
  @IsString()
  HOST?: string;

  /** A separate port for metrics and health; without it, they are on PORT. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(65_535)
  METRICS_PORT?: number;

  /** The address to listen on for METRICS_PORT; without it, that of HOST. */
  @IsOptional()
  @IsString()
  METRICS_HOST?: string;

  @IsOptional()
  @IsDatabaseUrl()
  DATABASE_URL?: string;

  /** PostgreSQL itself, where DATABASE_URL leads to a connection pooler: for what needs a session of its own. */
  @IsOptional()
  @IsDatabaseUrl()
  DATABASE_DIRECT_URL?: string;

  /** Whether statements are prepared on the server under their names; a pooler has to know how to pass these on. */
  @IsIn(['on', 'off'])
  DATABASE_PREPARED_STATEMENTS: 'on' | 'off' = 'on';

  /** Connections to PostgreSQL that one process may hold. */
  @Type(() => Number)
  @IsInt()
  @Min(2)
  @Max(500)
  DATABASE_POOL = 12;

  /** Further connections for what is only read: lists, searches, exports, the overview. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  DATABASE_READ_POOL = 4;

  /** One server, a cluster, or the master that sentinels name. */
  @IsOptional()
  @IsRedisUrl()
  REDIS_URL?: string;

  /** Who asks the sentinels, where they want a password of their own. */
  @IsOptional()
  @IsString()
  REDIS_SENTINEL_USERNAME?: string;

  @IsOptional()
  @IsString()
  REDIS_SENTINEL_PASSWORD?: string;

  @IsIn(['all', 'api', 'worker'])
  ROLE: 'all' | 'api' | 'worker' = 'all';

  @IsOptional()
  @IsUrl(url(['http', 'https']), { message: 'PROVIDER_BASE_URL must be an http(s) URL' })
  PROVIDER_BASE_URL?: string;

  @Matches(/^v\d+\.\d+$/, { message: 'PROVIDER_API_VERSION must look like v25.0' })
  PROVIDER_API_VERSION = 'v25.0';

  /** Milliseconds for the provider's answer to begin, and again to be complete; after that, the outcome is unknown. */
  @Type(() => Number)
  @IsInt()
  @Min(100)
  @Max(120_000)
  PROVIDER_TIMEOUT = 30_000;

  @IsOptional()
  @IsString()
  @MinLength(8)
  WEBHOOK_VERIFY_TOKEN?: string;

  /** 32 bytes in base64; the newest first, older ones (for reading only) after commas. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/, {
    message:
      'ENCRYPTION_KEY must be 32 bytes in base64 (openssl rand -base64 32), several separated by commas',
  })
  ENCRYPTION_KEY?: string;

  @IsOptional()
  @IsString()
  @MinLength(16)
  DASHBOARD_SESSION_SECRET?: string;

  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL = 'info';

  /** The mail server for alerts, with its user and password; without one, none are mailed. */
  @IsOptional()
  @IsUrl(url(['smtp', 'smtps']), { message: 'ALERT_SMTP_URL must be an smtp(s) URL' })
  ALERT_SMTP_URL?: string;

  /** Who mails of alerts are from, `Name <address>` or an address alone. */
  @IsOptional()
  @IsEmail({ allow_display_name: true }, { message: 'ALERT_MAIL_FROM must be an e-mail address' })
  ALERT_MAIL_FROM?: string;

  /** Whom they go to, with commas between the addresses. */
  @IsOptional()
  @AreAddresses()
  ALERT_MAIL_TO?: string;

  /** An incoming webhook that alerts are posted to as `{"text": …}`, such as one of Slack. */
  @IsOptional()
  @IsUrl(url(['http', 'https']), { message: 'ALERT_WEBHOOK_URL must be an http(s) URL' })
  ALERT_WEBHOOK_URL?: string;

  /** The collector of traces; without one, none are made. */
  @IsOptional()
  @IsUrl(url(['http', 'https']), { message: 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Headers for the collector, `name=value` with commas between them. */
  @IsOptional()
  @IsString()
  OTEL_EXPORTER_OTLP_HEADERS?: string;

  /** How the service is called in traces. */
  @IsString()
  @MinLength(1)
  OTEL_SERVICE_NAME = 'template-messaging-service';

  /** The part of the messages that are traced. */
  @Type(() => Number)
  @IsNumber()
  @Min(0)
  @Max(1)
  OTEL_TRACES_SAMPLER_ARG = 1;

  /** Requests a minute for each API key, a batch as many as it has messages; 0 for no limit. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  THROTTLE_LIMIT = 60_000;

  /** Failed authentications a minute for each address, counted separately for API keys and webhooks; 0 for no limit. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  THROTTLE_FAILURES = 60;

  /** Proxies in front of the service that may name the caller's address in X-Forwarded-For. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(10)
  TRUSTED_PROXIES = 0;

  /** Seconds for which an idle connection is kept; set it higher than a proxy in front does. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(3_600)
  KEEP_ALIVE_TIMEOUT = 75;

  /** Seconds for the body of a request to arrive; for each further 64 KiB of an upload in the dashboard. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(3_600)
  BODY_TIMEOUT = 30;

  /** Seconds that a message without a recorded outcome waits for a receipt before it is decided. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(86_400)
  UNKNOWN_OUTCOME_WINDOW = 120;

  /** What happens to such a message when no receipt came: sent again, or failed. */
  @IsIn(['resend', 'fail'])
  UNKNOWN_OUTCOME_POLICY: 'resend' | 'fail' = 'resend';

  /** How often such a message is sent again at most; then it is failed. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(100)
  UNKNOWN_OUTCOME_RESENDS = 2;

  /** Seconds from SIGTERM to the end of the process. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(600)
  SHUTDOWN_GRACE = 25;

  /** For the first of these seconds an API still takes requests. `/health/ready` fails already: proxies turn away. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(300)
  SHUTDOWN_DRAIN = 3;

  /** Messages that a worker may have on their way to the provider at the same time. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(10_000)
  DELIVERY_IN_FLIGHT = 1_000;

  /** Milliseconds: first and longest wait between technical retries. */
  @Type(() => Number)
  @IsInt()
  @Min(10)
  @Max(60_000)
  RETRY_BASE = 1_000;

  @Type(() => Number)
  @IsInt()
  @Min(100)
  @Max(86_400_000)
  RETRY_CAP = 600_000;

  /** Seconds for which an authentication code is tried; later, it would be useless. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(86_400)
  RETRY_BUDGET_AUTHENTICATION = 600;

  /** Seconds for which any other message is tried again, from its first try on, or its first after a hold. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(2_592_000)
  RETRY_BUDGET = 86_400;

  /** Minutes between two regular syncs of a business account's templates. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_440)
  TEMPLATE_SYNC_INTERVAL = 15;

  /** Days for which a message is kept after it ended, with its events; 0 for ever. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(36_500)
  RETENTION_MESSAGES = 400;

  /** Days for which an applied webhook delivery is kept; 0 for ever. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(36_500)
  RETENTION_INBOX = 30;

  /** Days for which an event can be read from the stream; 0 for ever. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(36_500)
  RETENTION_EVENTS = 30;

  /** Where the embedded default keeps its data. */
  @IsString()
  @MinLength(1)
  DATA_DIR = '.data';

  /** Where the embedded sandbox provider listens, so that processes of other machines may use it too. */
  @IsString()
  @MinLength(1)
  SANDBOX_HOST = '127.0.0.1';

  /** Port of the embedded sandbox provider; 0 for a free one, kept for the next start. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(65_535)
  SANDBOX_PORT = 0;
}

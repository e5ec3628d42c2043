export interface ServerOptions {
  /** absolute */
  dataDir: string;
  port: number;
  password: string;
  /** false: for tests, whose data nobody needs when the machine crashes */
  durable: boolean;
  /** takes what the user may want to know, a line at a time */
  progress: (line: string) => void;
}

export interface RunningServer {
  url: string;
  logFile: string;
  /** resolves when the server has ended, for whatever reason */
  exited: Promise<number>;
  stop(): Promise<void>;
}

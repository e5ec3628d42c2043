/** What one mail or post says. */
export interface Notice {
  /** Of the alerts that it tells of: the same for the same alerts. */
  id: string;
  /** One line. */
  subject: string;
  /** Plain text. */
  text: string;
}

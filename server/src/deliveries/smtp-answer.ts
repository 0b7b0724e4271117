/** A refusal by a mail server after it had accepted our sign-in. */
export interface SmtpAnswer {
  /** The command that was refused, as nodemailer names it. */
  command: string;
  /** SMTP status: 4xx is temporary, 5xx permanent (RFC 5321 section 4.2.1). */
  code: number;
  /** The text of the response, with the status code. */
  response: string;
}

const ANSWER_MAX_CHARACTERS = 300;

/** The enhanced status code of a response (RFC 3463), such as `5.1.1`. */
export function statusIn(response: string): string | undefined {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response.trim())?.[1];
}

/** A response on one line, with its code in front, shortened. */
export function responseOf({ code, response }: SmtpAnswer): string {
  const answer = response.replace(/\s+/g, ' ').trim();
  const whole = answer.startsWith(String(code)) ? answer : `${code} ${answer}`.trim();
  return whole.slice(0, ANSWER_MAX_CHARACTERS);
}

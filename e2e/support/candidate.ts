import { expect, type Locator, type Page } from '@playwright/test';
import type { Guest } from './admin-client.ts';
import { signIn } from './sign-in.ts';

/** Drives the candidate's screens of an attempt. */
export class Candidate {
  readonly page: Page;
  readonly guest: Guest;

  constructor(page: Page, guest: Guest) {
    this.page = page;
    this.guest = guest;
  }

  async signIn(leadsTo: string | RegExp = '/quiz/instructions'): Promise<void> {
    await signIn(this.page, this.guest.email, this.guest.code, leadsTo);
  }

  /** Goes from the instructions to the device check, with consent. */
  async consent(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start Assessment' }).click();
    await this.page.getByRole('button', { name: 'Accept & Continue' }).click();
  }

  /**
   * Goes from the instructions through consent and devices into the test; a running one continues at once.
   */
  async begin({ consent = true } = {}): Promise<void> {
    const { page } = this;
    const start = page.getByRole('button', { name: 'Start Assessment' });
    await expect(start.or(this.goOn)).toBeVisible();
    if (await this.goOn.isVisible()) {
      await this.goOn.click();
      return this.seesQuestions();
    }
    await start.click();
    await expect(page).toHaveURL('/quiz/permissions');
    // The URL changes before the screen, and the previous screen has a button of that name too.
    await expect(page).toHaveTitle(/^Device check/);
    // Asked once per tab.
    if (consent) await page.getByRole('button', { name: 'Accept & Continue' }).click();
    await page.getByRole('button', { name: 'Start Assessment' }).click();
    await expect(page).toHaveURL('/quiz/assessment');
    await this.seesQuestions();
  }

  /** Waits for the questions. The device check has a heading too, but no timer. */
  async seesQuestions(): Promise<void> {
    await expect(this.page.getByRole('timer')).toBeVisible();
    await expect(this.question).toBeVisible();
  }

  /** The button of a running attempt. */
  get goOn(): Locator {
    return this.page.getByRole('button', { name: 'Continue assessment' });
  }

  get question(): Locator {
    return this.page.locator('main').getByRole('heading', { level: 1 });
  }

  get options(): Locator {
    return this.page.getByRole('radiogroup', { name: 'Answer options' }).getByRole('radio');
  }

  /** The status line beside the timer. */
  get saved(): Locator {
    return this.page.getByRole('banner').getByText(/^(Saved \d|Saving|Saves|Offline:|Not saving)/);
  }

  /** A button of the row under the question. */
  action(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true }).filter({ visible: true });
  }

  /** The bubble of a question, counted from 1. */
  bubble(number: number): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Question ${number},`) });
  }

  async go(number: number): Promise<void> {
    await this.bubble(number).click();
    await expect(this.bubble(number)).toHaveAttribute('aria-current', 'step');
  }

  async questionText(): Promise<string> {
    return (await this.question.textContent()) ?? '';
  }

  /** The texts of the options, without their letters. */
  async optionTexts(): Promise<string[]> {
    return this.options.locator('span:not([aria-hidden])').allTextContents();
  }

  /** The option with exactly this text, whatever characters it contains. */
  option(text: string): Locator {
    const whole = new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    return this.options.filter({
      has: this.page.locator('span:not([aria-hidden])', { hasText: whole }),
    });
  }

  async select(text: string): Promise<void> {
    await this.option(text).click();
    await expect(this.option(text)).toBeChecked();
  }
}

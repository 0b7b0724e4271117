import { useState } from 'react';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pass, show, stopClock } from '../testing/shown.tsx';
import { Choice, ChoiceGroup } from './fields/choice-group.tsx';
import { PasswordField } from './fields/password-field.tsx';
import { BubbleRadio, RadioGroup } from './fields/radio-group.tsx';
import { Menu, MenuChoice, MenuItem } from './menu.tsx';
import { TabList, TabPanel, Tabs } from './tables/tabs.tsx';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';
import { Tooltip } from './tooltip.tsx';

beforeEach(() => {
  document.documentElement.dir = 'rtl';
});
afterEach(() => {
  document.documentElement.removeAttribute('dir');
});

const placeOf = (name: string) =>
  page.getByRole('radio', { name }).element().getBoundingClientRect();

function Sizes({ dir }: { dir?: 'ltr' }) {
  const [size, setSize] = useState<string | null>('medium');
  return (
    <ChoiceGroup
      label="Size"
      values={['small', 'medium', 'large']}
      value={size}
      onSelect={setSize}
      orientation="horizontal"
      className="flex w-80"
      {...(dir === undefined ? {} : { dir })}
    >
      {['small', 'medium', 'large'].map((one) => (
        <Choice key={one} value={one} label={one} className="p-2">
          {one}
        </Choice>
      ))}
    </ChoiceGroup>
  );
}

test('an arrow key selects the choice that it points at', async () => {
  await show(<Sizes />);
  expect(placeOf('large').right).toBeLessThanOrEqual(placeOf('medium').left);
  await page.getByRole('radio', { name: 'medium' }).click();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(page.getByRole('radio', { name: 'large' })).toBeChecked();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(page.getByRole('radio', { name: 'small' })).toBeChecked();
});

test('a group with a direction of its own keeps it', async () => {
  await show(<Sizes dir="ltr" />);
  expect(placeOf('large').left).toBeGreaterThanOrEqual(placeOf('medium').right);
  await page.getByRole('radio', { name: 'medium' }).click();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('radio', { name: 'large' })).toBeChecked();
});

function Parts() {
  const [tab, setTab] = useState('one');
  return (
    <Tabs value={tab} onChange={setTab}>
      <TabList
        label="Parts"
        tabs={['one', 'two', 'three'].map((value) => ({ value, label: value }))}
      />
      {['one', 'two', 'three'].map((value) => (
        <TabPanel key={value} value={value}>
          {value}
        </TabPanel>
      ))}
    </Tabs>
  );
}

test('tabs follow the page', async () => {
  await show(<Parts />);
  await page.getByRole('tab', { name: 'one' }).click();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(page.getByRole('tab', { name: 'two' })).toHaveFocus();
});

function Answers() {
  const [answer, setAnswer] = useState<string | null>('A');
  return (
    <RadioGroup label="Key" value={answer} onChange={setAnswer} className="flex gap-2">
      {['A', 'B', 'C'].map((letter) => (
        <BubbleRadio key={letter} value={letter} letter={letter} label={letter} />
      ))}
    </RadioGroup>
  );
}

test('bubbles of an answer key follow the page', async () => {
  await show(<Answers />);
  await page.getByRole('radio', { name: 'A' }).click();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(page.getByRole('radio', { name: 'B' })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('radio', { name: 'A' })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('radio', { name: 'C' })).toHaveFocus();
});

test('a menu beside a menu opens on the left, by the key that points there', async () => {
  await show(
    <div className="grid place-items-center p-40">
      <Menu trigger={<button type="button">Account</button>}>
        <MenuItem icon={null} onSelect={() => undefined}>
          Password
        </MenuItem>
        <MenuChoice
          icon={null}
          label="Theme"
          value="dark"
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onSelect={() => undefined}
        />
      </Menu>
    </div>,
  );
  const theme = page.getByRole('menuitem', { name: 'Theme' });
  const light = page.getByRole('menuitemradio', { name: 'Light' });
  await page.getByRole('button', { name: 'Account' }).click();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(theme).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  expect(light.query()).toBeNull();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(light).toBeVisible();
  const [first, second] = [theme, light].map((one) => one.element().getBoundingClientRect());
  expect(second?.right).toBeLessThanOrEqual(first?.left ?? 0);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(theme).toHaveFocus();
});

test('the button in a password stands over none of its letters', async () => {
  await show(<PasswordField label="Password" />);
  const input = page.getByLabelText('Password', { exact: true }).element();
  const button = page.getByRole('button', { name: 'Show password' }).element();
  const { left } = input.getBoundingClientRect();
  const room = Number.parseFloat(getComputedStyle(input).paddingLeft);
  expect(button.getBoundingClientRect().left).toBeGreaterThanOrEqual(left);
  expect(left + room).toBeGreaterThanOrEqual(button.getBoundingClientRect().right);
});

test('a toast is swiped away to the left, and a tooltip at the end of a line stands on the left', async () => {
  stopClock();
  await show(
    <div className="grid place-items-center p-40">
      <Toaster />
      <Tooltip text="Says more" side="end">
        <button type="button">Anchor</button>
      </Tooltip>
    </div>,
  );
  toast({ title: 'Saved' });
  await pass(0);
  const cards = () => document.querySelectorAll('[data-toast]');
  const swipe = (px: number) => {
    const at = (type: string, clientX: number) =>
      cards()[0]?.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX }));
    at('pointerdown', 200);
    at('pointermove', 200 + px);
    at('pointerup', 200 + px);
  };
  swipe(60);
  await pass(0);
  expect(cards()).toHaveLength(1);
  swipe(-60);
  await pass(0);
  expect(cards()).toHaveLength(0);

  const anchor = page.getByRole('button', { name: 'Anchor' }).element();
  anchor.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
  await pass(800);
  const tip = page.getByRole('tooltip').element().getBoundingClientRect();
  expect(tip.right).toBeLessThan(anchor.getBoundingClientRect().left);
});

test('signs that point along a line turn with it', async () => {
  await show(
    <p>
      <span className="points-on">→</span>
      <span dir="ltr">
        <span className="points-on">→</span>
      </span>
    </p>,
  );
  const scales = [...document.querySelectorAll('.points-on')].map(
    (one) => getComputedStyle(one).scale,
  );
  expect(scales).toEqual(['-1 1', 'none']);
});

test.each(['ar', 'zh-CN'])(
  '%s is neither spaced nor slanted; codes stay as they are',
  async (lang) => {
    const before = document.documentElement.lang;
    document.documentElement.lang = lang;
    onTestFinished(() => {
      document.documentElement.lang = before;
    });
    await show(
      <p className="text-2xl">
        <span data-look="" className="tracking-[0.14em] uppercase">
          one
        </span>
        <em data-look="">two</em>
        <span data-look="" className="code tracking-[0.12em] uppercase">
          abc
        </span>
      </p>,
    );
    const looks = [...document.querySelectorAll('[data-look]')].map((one) => {
      const { letterSpacing, textTransform, fontStyle, direction } = getComputedStyle(one);
      return [letterSpacing, textTransform, fontStyle, direction];
    });
    expect(looks).toEqual([
      ['normal', 'none', 'normal', 'rtl'],
      ['normal', 'none', 'normal', 'rtl'],
      ['2.88px', 'uppercase', 'normal', 'ltr'],
    ]);
  },
);

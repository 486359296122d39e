// A family that lost its link and let its offer end: a new link, a new offer, and one acceptance however often one presses.
import { enter, newStaff, visitor } from '../actors.ts';
import { emails, linkTo, subjectsTo } from '../mail.ts';
import { hold } from '../network.ts';
import { expect, test } from '../school.ts';
import { beforeMidnight } from '../zones.ts';

const address = 'tanaka@mail.example';
const form = {
  firstName: 'Mei', lastName: 'Tanaka', email: address, phone: '647 555 0199', address: '88 Sample Crescent, Toronto',
  grade: 12, dateOfBirth: '2007-03-01', consents: ['privacy'],
};

test('an offer ends at the school’s midnight, is made again, and is accepted once', async ({ browser, page }) => {
  await beforeMidnight(async (school, midnight) => {
    const { reference } = (await (await (await visitor(school)).post('/api/applications', { data: form })).json()) as { reference: string };
    const staff = await newStaff(school);
    const [{ id }] = (await (await staff.get(`/api/admin/admission-requests?q=${reference}`)).json()) as [{ id: number }];
    const offer = await staff.post(`/api/admin/admission-requests/${id}/offer`, { data: { feeDue: 1250.5, expiresOn: midnight.before } });
    expect(offer.ok(), await offer.text()).toBe(true);

    const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await phone.goto(`${school.url}/application`);
    await phone.getByLabel('Email').fill(address);
    await phone.getByRole('button', { name: 'Send the Link' }).click();
    await expect.poll(() => subjectsTo(school, address)).toContain('The link to your application');
    await phone.goto(await linkTo(school, address, '/application'));
    await expect(phone.getByRole('button', { name: 'Accept the Offer' })).toBeVisible();

    await midnight.pass();
    await expect.poll(() => subjectsTo(school, address)).toContain(`Your offer has ended (${reference})`);
    await phone.reload();
    await expect(phone.getByRole('heading', { level: 1, name: 'Mei Tanaka' })).toBeVisible();
    await expect(phone.getByRole('button', { name: 'Accept the Offer' })).toHaveCount(0);

    await enter(page, school, `/admin/admission-requests/${id}`);
    const state = page.getByRole('region', { name: 'State and next steps' });
    await expect(state).toContainText('expired');
    await page.getByRole('button', { name: 'New Offer…' }).click();
    await page.getByLabel('Fee in dollars').fill('1,250.50');
    await page.getByLabel('Fee in dollars').press('Enter');
    await expect(state).toContainText('offered');

    await phone.goto(await linkTo(school, address, '/application'));
    await phone.getByLabel('Your full name').fill('Mei Tanaka');
    await phone.getByRole('checkbox', { name: /I accept/ }).check();
    // Held, so that the second click comes before the answer and cannot take the focus from it.
    const acceptance = await hold(phone, '**/api/applications/me/accept');
    await phone.getByRole('button', { name: 'Accept the Offer' }).dblclick();
    acceptance.release();
    await expect(phone.getByText('The place is yours.')).toBeFocused();
    const { events, admission } = (await (await staff.get(`/api/admin/admission-requests/${id}`)).json()) as { events: { verb: string }[]; admission: { feeDue: number } };
    expect(events.filter(({ verb }) => verb === 'accept')).toHaveLength(1);
    expect(admission.feeDue).toBe(1250.5);
    const accepted = `You have accepted the offer (${reference})`;
    await expect.poll(() => subjectsTo(school, address).filter((subject) => subject === accepted)).toHaveLength(1);
    expect(emails(school, address).find((email) => email.includes(accepted))).toContain('$1,250.50');
  });
});

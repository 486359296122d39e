//! Who goes to the demo school. The people are invented; their families come from where those of an
//! Ontario school do. All addresses are at `mail.example`, which nobody has.

/// What the student whose password is printed logs in with.
pub const AMARA: &str = "amara.okonkwo@mail.example";

/// What has become of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountState {
    /// Verified, with a complete profile.
    Complete,
    /// Verified; nobody has filled in the profile.
    Bare,
    /// Nobody has proved the mailbox.
    Unverified,
    /// Shut out for a while by the office.
    Suspended,
    /// Shut out for good by the office.
    Closed,
}

/// Where somebody lives who does not live in Canada.
#[derive(Debug, Clone, Copy)]
pub struct Abroad {
    /// Two letters of ISO 3166-1.
    pub country: &'static str,
    /// City.
    pub city: &'static str,
    /// Street and number.
    pub address: &'static str,
    /// Telephone number.
    pub phone: &'static str,
}

/// A student of the demo.
#[derive(Debug, Clone, Copy)]
pub struct DemoStudent {
    /// Full name.
    pub name: &'static str,
    /// What stands before `@mail.example`.
    pub mailbox: &'static str,
    /// As the profile has it.
    pub gender: &'static str,
    /// A parent or guardian.
    pub parent: &'static str,
    /// The account.
    pub account: AccountState,
    /// Where they live, if not in Canada.
    pub abroad: Option<Abroad>,
}

type Row = (&'static str, &'static str, &'static str, &'static str);

const fn person(
    (name, mailbox, gender, parent): Row,
    account: AccountState,
    abroad: Option<Abroad>,
) -> DemoStudent {
    DemoStudent { name, mailbox, gender, parent, account, abroad }
}

const fn at_home(row: Row) -> DemoStudent {
    person(row, AccountState::Complete, None)
}

const fn abroad(row: Row, (country, city, address, phone): Row) -> DemoStudent {
    person(row, AccountState::Complete, Some(Abroad { country, city, address, phone }))
}

const fn in_state(account: AccountState, row: Row) -> DemoStudent {
    person(row, account, None)
}

/// Everybody but the student whose password is printed.
pub const PEOPLE: [DemoStudent; 59] = [
    at_home(("Liam Fitzgerald", "liam.fitzgerald", "male", "Maeve Fitzgerald")),
    at_home(("Priya Raghunathan", "priya.raghunathan", "female", "Meena Raghunathan")),
    at_home(("Mateo Herrera Cruz", "mateo.herrera", "male", "Lucía Cruz Vega")),
    at_home(("Chloé Bélanger-Roy", "chloe.belanger", "female", "Martin Roy")),
    at_home(("Ayaan Siddiqui", "ayaan.siddiqui", "male", "Farah Siddiqui")),
    abroad(
        ("Hyun-woo Bae", "hyunwoo.bae", "male", "Bae Ji-young"),
        ("KR", "Busan", "12 Yebi-ro", "+82 51 555 0112"),
    ),
    at_home(("Zainab Al-Khatib", "zainab.alkhatib", "female", "Yusuf Al-Khatib")),
    at_home(("Tomasz Wiśniewski", "tomasz.wisniewski", "male", "Agnieszka Wiśniewska")),
    at_home(("Emily Hargreaves", "emily.hargreaves", "female", "Joan Hargreaves")),
    at_home(("Oluwaseun Adeyemi", "seun.adeyemi", "male", "Folake Adeyemi")),
    at_home(("Thanh Mai Đặng", "mai.dang", "female", "Đặng Văn Hùng")),
    at_home(("Jordan Beaucage", "jordan.beaucage", "male", "Denise Beaucage")),
    abroad(
        ("Isabela Carvalho Pinto", "isabela.carvalho", "female", "Rui Carvalho"),
        ("BR", "Curitiba", "Rua do Exemplo 45", "+55 41 5550 0145"),
    ),
    at_home(("Arjun Mehrotra", "arjun.mehrotra", "male", "Kavita Mehrotra")),
    at_home(("Sofia Marchetti", "sofia.marchetti", "female", "Paolo Marchetti")),
    at_home(("Kwabena Boateng", "kwabena.boateng", "male", "Akosua Boateng")),
    at_home(("Wei-Lin Chou", "weilin.chou", "female", "Chou Ming-Hua")),
    at_home(("Noah Lindqvist", "noah.lindqvist", "male", "Karin Lindqvist")),
    at_home(("Mariam Haidari", "mariam.haidari", "female", "Najib Haidari")),
    abroad(
        ("Blessing Eze", "blessing.eze", "female", "Chinedu Eze"),
        ("NG", "Enugu", "7 Sample Close", "+234 42 555 0107"),
    ),
    at_home(("Dmytro Kovalchuk", "dmytro.kovalchuk", "male", "Oksana Kovalchuk")),
    at_home(("Jasleen Sandhu", "jasleen.sandhu", "female", "Harpreet Sandhu")),
    at_home(("Émile Thériault", "emile.theriault", "male", "Josée Thériault")),
    at_home(("Hannah Vandermeer", "hannah.vandermeer", "female", "Pieter Vandermeer")),
    at_home(("Ravindu Jayasinghe", "ravindu.jayasinghe", "male", "Nirmala Jayasinghe")),
    at_home(("Fatoumata Diarra", "fatoumata.diarra", "female", "Awa Diarra")),
    at_home(("Samuel Goldfarb", "samuel.goldfarb", "male", "Miriam Goldfarb")),
    abroad(
        ("Hoàng Nam Phan", "nam.phan", "male", "Phan Thị Hoa"),
        ("VN", "Đà Nẵng", "18 Đường Ví Dụ", "+84 236 555 0118"),
    ),
    at_home(("Nadia Petrović", "nadia.petrovic", "female", "Goran Petrović")),
    at_home(("Omar Benkhelifa", "omar.benkhelifa", "male", "Samira Benkhelifa")),
    at_home(("Mei-Xuan Lau", "meixuan.lau", "female", "Lau Kok Wai")),
    at_home(("Gabriel Lima Souza", "gabriel.lima", "male", "Teresa Souza")),
    at_home(("Aisling Brennan", "aisling.brennan", "female", "Ciarán Brennan")),
    at_home(("Ethan Nakamura", "ethan.nakamura", "male", "Yuko Nakamura")),
    at_home(("Anjali Deshpande", "anjali.deshpande", "female", "Suresh Deshpande")),
    at_home(("Kojo Appiah", "kojo.appiah", "male", "Efua Appiah")),
    at_home(("Yara Mansour", "yara.mansour", "female", "Elias Mansour")),
    abroad(
        ("Lukas Brandstätter", "lukas.brandstaetter", "male", "Ulrike Brandstätter"),
        ("AT", "Graz", "Beispielgasse 9", "+43 316 555 0109"),
    ),
    at_home(("Camille Desjardins", "camille.desjardins", "female", "Luc Desjardins")),
    at_home(("Tariq Hosseini", "tariq.hosseini", "male", "Leyla Hosseini")),
    at_home(("Rosa Quispe Mamani", "rosa.quispe", "female", "Julián Quispe")),
    at_home(("Daniel Tadesse", "daniel.tadesse", "male", "Selam Tadesse")),
    at_home(("Beatriz Reyes", "beatriz.reyes", "female", "Ramon Reyes")),
    at_home(("Ruben Hakobyan", "ruben.hakobyan", "male", "Anahit Hakobyan")),
    at_home(("Charlie Redmond", "charlie.redmond", "other", "Patricia Redmond")),
    abroad(
        ("Min-seo Ryu", "minseo.ryu", "female", "Ryu Sang-ho"),
        ("KR", "Daegu", "31 Yebi-gil", "+82 53 555 0131"),
    ),
    at_home(("Jamal Warsame", "jamal.warsame", "male", "Hodan Warsame")),
    at_home(("Elena Papadaki", "elena.papadaki", "female", "Nikos Papadakis")),
    at_home(("Mikael Savolainen", "mikael.savolainen", "male", "Päivi Savolainen")),
    at_home(("Grace Mutasa", "grace.mutasa", "female", "Tendai Mutasa")),
    in_state(AccountState::Suspended, ("Viktor Halvorsen", "viktor.halvorsen", "male", "Ingrid Halvorsen")),
    in_state(AccountState::Closed, ("Layla Farouk", "layla.farouk", "female", "Hisham Farouk")),
    in_state(AccountState::Bare, ("Nikhil Balakrishnan", "nikhil.balakrishnan", "male", "")),
    in_state(AccountState::Bare, ("Freya Sigurðardóttir", "freya.sigurdardottir", "female", "")),
    in_state(AccountState::Bare, ("Idris Keita", "idris.keita", "male", "")),
    in_state(AccountState::Bare, ("Alexandra Ionescu", "alexandra.ionescu", "female", "")),
    in_state(AccountState::Unverified, ("Joon-ho Seo", "joonho.seo", "male", "")),
    in_state(AccountState::Unverified, ("Leilani Tupou", "leilani.tupou", "female", "")),
    in_state(AccountState::Unverified, ("Sophie Okafor", "sophie.okafor", "female", "")),
];

/// Whoever is drawn from [`PEOPLE`], by place.
pub type StudentIndex = usize;

/// Who comes before this one has been at the school for months.
const FIRST_NEWCOMER: StudentIndex = 43;

/// Those with a complete profile, but for the last of them.
pub fn regulars() -> Vec<StudentIndex> {
    (0..FIRST_NEWCOMER).collect()
}

/// Those with a complete profile who have only just come.
pub fn newcomers() -> Vec<StudentIndex> {
    with(AccountState::Complete).into_iter().filter(|who| *who >= FIRST_NEWCOMER).collect()
}

/// Those with an account of this kind.
pub fn with(account: AccountState) -> Vec<StudentIndex> {
    (0..PEOPLE.len()).filter(|who| PEOPLE[*who].account == account).collect()
}

//! Terms and sections.

mod office;
